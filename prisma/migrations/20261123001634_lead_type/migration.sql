-- outside of a transaction
-- Leads of a type are counted by the index alone, those in the archive left out.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "crm_lead_workspace_id_type_active_priority_id_idx"
ON "crm_lead" ("workspace_id", "type", "active", "priority" DESC, "id" DESC);
