-- outside of a transaction
-- The index of the emails of a workspace that "svc_email_list" stands in for.
DROP INDEX CONCURRENTLY IF EXISTS "svc_email_workspace_id_create_date_id_idx";
