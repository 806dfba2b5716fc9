-- outside of a transaction
-- Who writes a message is found by the address.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "res_partner_email" ON "res_partner" ("workspace_id", lower("email"))
WHERE "email" IS NOT NULL;
