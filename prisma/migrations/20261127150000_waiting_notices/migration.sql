-- outside of a transaction
-- Notices of the provider that wait are taken in the order of their ids, a batch at a time. By their time, each batch
-- would sort all that wait.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_provider_event_waiting" ON "svc_provider_event" ("id")
WHERE "applied_at" IS NULL;
