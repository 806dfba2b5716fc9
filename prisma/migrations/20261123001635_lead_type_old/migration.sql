-- outside of a transaction
-- The index of leads of a type has `active` in it now.
DROP INDEX CONCURRENTLY IF EXISTS "crm_lead_workspace_id_type_priority_id_idx";
