-- What waits has an index of its own.
DROP INDEX IF EXISTS "svc_provider_event_applied_at_create_date_idx";
