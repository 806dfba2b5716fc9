-- outside of a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "svc_event_workspace_id_id" ON "svc_event"("workspace_id", "id");
