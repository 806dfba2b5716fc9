-- outside of a transaction
-- Calls about one contact or domain that wait.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_webhook_call_of_record"
ON "svc_webhook_call" ("workspace_id", "webhook_id", ("data" ->> 'id'), "id")
WHERE "status" = 'PENDING' AND "email_id" IS NULL;
