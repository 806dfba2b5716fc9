-- AlterTable
ALTER TABLE "res_users" ADD COLUMN     "action_id" INTEGER;

-- CreateTable
CREATE TABLE "ir_actions_act_window" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'ir.actions.act_window',
    "path" TEXT,
    "res_model" TEXT NOT NULL,
    "view_mode" TEXT NOT NULL DEFAULT 'list,form',
    "domain" TEXT,
    "context" TEXT NOT NULL DEFAULT '{}',
    "target" TEXT DEFAULT 'current',
    "limit" INTEGER NOT NULL DEFAULT 80,
    "help" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_actions_act_window_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ir_actions_act_window_workspace_id_path_key" ON "ir_actions_act_window"("workspace_id", "path");

-- AlterTable
ALTER TABLE "ir_actions_act_window" SET (autovacuum_analyze_scale_factor = 0.02);
