-- outside of a transaction
-- Calls about one email that wait.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_webhook_call_of_email"
ON "svc_webhook_call" ("workspace_id", "webhook_id", "email_id", "id")
WHERE "status" = 'PENDING' AND "email_id" IS NOT NULL;
