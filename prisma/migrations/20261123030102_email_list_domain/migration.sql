-- outside of a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_email_list_domain"
ON "svc_email" ("workspace_id", "domain_id", "create_date", "id") WHERE "mailbox_id" IS NULL;
