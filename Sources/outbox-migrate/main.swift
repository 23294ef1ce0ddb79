print("outbox-migrate")
