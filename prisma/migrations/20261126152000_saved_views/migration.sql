-- CreateTable
CREATE TABLE "svc_saved_view" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'list',
    "where" JSONB,
    "order_by" JSONB,
    "group_by" JSONB,
    "columns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_saved_view_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_ui_state" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "values" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "svc_ui_state_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateIndex
CREATE INDEX "svc_saved_view_workspace_id_user_id_model_idx" ON "svc_saved_view"("workspace_id", "user_id", "model");

-- CreateIndex
CREATE INDEX "svc_saved_view_workspace_id_model_is_shared_idx" ON "svc_saved_view"("workspace_id", "model", "is_shared");

-- AddForeignKey
ALTER TABLE "svc_saved_view" ADD CONSTRAINT "svc_saved_view_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_ui_state" ADD CONSTRAINT "svc_ui_state_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_saved_view" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_ui_state" SET (autovacuum_analyze_scale_factor = 0.02);
