-- AlterTable
ALTER TABLE "svc_api_key" ADD COLUMN     "calls_per_day" INTEGER,
ADD COLUMN     "changes_per_day" INTEGER,
ADD COLUMN     "sends_per_day" INTEGER,
ADD COLUMN     "tool_groups" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "svc_mcp_log" ADD COLUMN     "agent_id" INTEGER,
ADD COLUMN     "client_name" TEXT,
ADD COLUMN     "outcome" TEXT,
ADD COLUMN     "revision" TEXT,
ADD COLUMN     "undo_token" TEXT;

-- CreateTable
CREATE TABLE "svc_agent" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "client_name" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_call_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "call_count" INTEGER NOT NULL DEFAULT 0,
    "day" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "calls_of_day" INTEGER NOT NULL DEFAULT 0,
    "sends_of_day" INTEGER NOT NULL DEFAULT 0,
    "changes_of_day" INTEGER NOT NULL DEFAULT 0,
    "minute" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "minute_calls" INTEGER NOT NULL DEFAULT 0,
    "minute_tools" JSONB NOT NULL DEFAULT '{}',
    "verdict" TEXT NOT NULL DEFAULT '',
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "svc_agent_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_agent_held" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "model_name" TEXT,
    "preview" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "decider_id" INTEGER,
    "decided_at" TIMESTAMP(3),
    "reason" TEXT,
    "error" TEXT,
    "record_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "svc_agent_held_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_agent_policy" (
    "workspace_id" INTEGER NOT NULL,
    "confirmation" TEXT NOT NULL DEFAULT 'agent',
    "holds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "approvers" TEXT NOT NULL DEFAULT 'administrators',
    "calls_per_day" INTEGER,
    "sends_per_day" INTEGER,
    "changes_per_day" INTEGER,
    "calls_per_minute" INTEGER,

    CONSTRAINT "svc_agent_policy_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "svc_agent_spent" (
    "workspace_id" INTEGER NOT NULL,
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_agent_spent_pkey" PRIMARY KEY ("workspace_id","nonce")
);

-- CreateIndex
CREATE INDEX "svc_agent_workspace_id_user_id_idx" ON "svc_agent"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_agent_workspace_id_kind_ref_key" ON "svc_agent"("workspace_id", "kind", "ref");

-- CreateIndex
CREATE INDEX "svc_agent_held_workspace_id_state_id_idx" ON "svc_agent_held"("workspace_id", "state", "id");

-- CreateIndex
CREATE INDEX "svc_agent_held_workspace_id_agent_id_digest_idx" ON "svc_agent_held"("workspace_id", "agent_id", "digest");

-- CreateIndex
CREATE INDEX "svc_agent_held_create_date_idx" ON "svc_agent_held"("create_date");

-- CreateIndex
CREATE INDEX "svc_agent_held_expires_at_idx" ON "svc_agent_held"("expires_at");

-- CreateIndex
CREATE INDEX "svc_agent_held_decided_at_idx" ON "svc_agent_held"("decided_at");

-- CreateIndex
CREATE INDEX "svc_agent_spent_expires_at_idx" ON "svc_agent_spent"("expires_at");

-- AddForeignKey
ALTER TABLE "svc_agent" ADD CONSTRAINT "svc_agent_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_agent_held" ADD CONSTRAINT "svc_agent_held_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "svc_agent"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_agent_held" ADD CONSTRAINT "svc_agent_held_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_agent_held" ADD CONSTRAINT "svc_agent_held_workspace_id_decider_id_fkey" FOREIGN KEY ("workspace_id", "decider_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_agent_policy" ADD CONSTRAINT "svc_agent_policy_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_agent_spent" ADD CONSTRAINT "svc_agent_spent_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_agent" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_agent_held" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_agent_policy" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_agent_spent" SET (autovacuum_analyze_scale_factor = 0.02);
