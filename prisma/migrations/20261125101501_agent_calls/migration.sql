-- outside of a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "svc_mcp_log_workspace_id_agent_id_id_idx"
ON "svc_mcp_log" ("workspace_id", "agent_id", "id");
