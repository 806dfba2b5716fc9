-- outside of a transaction
-- The due calls of a webhook.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_webhook_call_due"
ON "svc_webhook_call" ("workspace_id", "webhook_id", "run_at", "id") WHERE "status" = 'PENDING';
