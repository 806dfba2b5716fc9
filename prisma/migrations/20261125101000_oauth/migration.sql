-- CreateTable
CREATE TABLE "svc_connected_agent" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "grant_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "redirect_host" TEXT NOT NULL,
    "scopes" TEXT[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "svc_connected_agent_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_connected_agent_use" (
    "workspace_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,
    "calls" BIGINT NOT NULL,

    CONSTRAINT "svc_connected_agent_use_pkey" PRIMARY KEY ("workspace_id","agent_id")
);

-- CreateTable
CREATE TABLE "svc_oauth_payload" (
    "workspace_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "grant_hash" TEXT,
    "consumed_at" TIMESTAMP(3),
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_oauth_payload_pkey" PRIMARY KEY ("workspace_id","kind","hash")
);

-- CreateIndex
CREATE INDEX "svc_connected_agent_workspace_id_user_id_idx" ON "svc_connected_agent"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "svc_connected_agent_expires_at_idx" ON "svc_connected_agent"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "svc_connected_agent_workspace_id_grant_hash_key" ON "svc_connected_agent"("workspace_id", "grant_hash");

-- CreateIndex
CREATE INDEX "svc_oauth_payload_workspace_id_grant_hash_idx" ON "svc_oauth_payload"("workspace_id", "grant_hash");

-- CreateIndex
CREATE INDEX "svc_oauth_payload_expires_at_idx" ON "svc_oauth_payload"("expires_at");

-- AddForeignKey
ALTER TABLE "svc_connected_agent" ADD CONSTRAINT "svc_connected_agent_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_connected_agent_use" ADD CONSTRAINT "svc_connected_agent_use_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "svc_connected_agent"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_connected_agent" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_connected_agent_use" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_oauth_payload" SET (autovacuum_analyze_scale_factor = 0.02);

CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_connected_agent" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER DELETE ON "svc_oauth_payload" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
