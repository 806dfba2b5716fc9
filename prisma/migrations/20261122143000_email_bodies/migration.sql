-- outside of a transaction
-- Emails whose bodies may be taken away, the oldest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_email_bodies" ON "svc_email" ("create_date")
WHERE "state" IN ('sent', 'failed', 'cancelled', 'suppressed')
  AND ("html" IS NOT NULL OR "text" IS NOT NULL OR "headers" IS NOT NULL OR "attachments" IS NOT NULL);
