-- outside of a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_email_list"
ON "svc_email" ("workspace_id", "create_date", "id") WHERE "mailbox_id" IS NULL;
