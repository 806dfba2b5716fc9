-- AlterTable
ALTER TABLE "res_partner" ADD COLUMN     "credit_limit" DOUBLE PRECISION,
ADD COLUMN     "customer_rank" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "supplier_rank" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "ir_ui_menu" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "parent_id" INTEGER,
    "action" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "web_icon" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_ui_menu_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_actions_report" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "report_name" TEXT NOT NULL,
    "report_type" TEXT NOT NULL DEFAULT 'qweb-pdf',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_actions_report_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "ir_ui_menu_workspace_id_parent_id_idx" ON "ir_ui_menu"("workspace_id", "parent_id");

-- AddForeignKey
ALTER TABLE "ir_ui_menu" ADD CONSTRAINT "ir_ui_menu_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "ir_ui_menu"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "ir_ui_menu" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "ir_actions_report" SET (autovacuum_analyze_scale_factor = 0.02);
