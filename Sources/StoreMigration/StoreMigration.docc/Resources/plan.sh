outbox-migrate lint Migrations
outbox-migrate plan old.store --migrations Migrations
