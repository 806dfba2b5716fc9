-- outside of a transaction
-- All calls about one email, which its page shows.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_webhook_call_all_of_email"
ON "svc_webhook_call" ("workspace_id", "email_id", "id")
WHERE "email_id" IS NOT NULL;
