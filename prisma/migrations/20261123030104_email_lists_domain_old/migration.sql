-- outside of a transaction
-- The same of a domain, that "svc_email_list_domain" stands in for.
DROP INDEX CONCURRENTLY IF EXISTS "svc_email_workspace_id_domain_id_create_date_id_idx";
