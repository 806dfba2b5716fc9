-- The planner needs statistics on a new workspace soon, even if other workspaces have millions of rows.
DO $$
DECLARE tenant_table regclass;
BEGIN
  FOR tenant_table IN
    SELECT oid FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND reloptions @> '{autovacuum_analyze_scale_factor=0.02}'
  LOOP
    EXECUTE format(
      'ALTER TABLE %s SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000)', tenant_table);
  END LOOP;
END $$;
