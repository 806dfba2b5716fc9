-- CreateTable
CREATE TABLE "base_module_uninstall" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "show_all" BOOLEAN NOT NULL DEFAULT false,
    "impacted" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "impacted_models" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "base_module_uninstall_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "base_module_uninstall_rel" (
    "workspace_id" INTEGER NOT NULL,
    "wizard_id" INTEGER NOT NULL,
    "module_id" INTEGER NOT NULL,

    CONSTRAINT "base_module_uninstall_rel_pkey" PRIMARY KEY ("workspace_id","wizard_id","module_id")
);

-- AddForeignKey
ALTER TABLE "base_module_uninstall_rel" ADD CONSTRAINT "base_module_uninstall_rel_workspace_id_wizard_id_fkey" FOREIGN KEY ("workspace_id", "wizard_id") REFERENCES "base_module_uninstall"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "base_module_uninstall_rel" ADD CONSTRAINT "base_module_uninstall_rel_workspace_id_module_id_fkey" FOREIGN KEY ("workspace_id", "module_id") REFERENCES "ir_module_module"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "base_module_uninstall" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "base_module_uninstall_rel" SET (autovacuum_analyze_scale_factor = 0.02);
