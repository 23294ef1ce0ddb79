outbox-migrate schema capture old.store --app Journal --name V1 --out Migrations/V1.schema.json
outbox-migrate schema capture new.store --app Journal --name V2 --out Migrations/V2.schema.json
