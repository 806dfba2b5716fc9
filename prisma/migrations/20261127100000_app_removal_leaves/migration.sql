-- AlterTable
ALTER TABLE "ir_rule" ADD COLUMN     "fault" TEXT;

-- AlterTable
ALTER TABLE "svc_app_removal" ADD COLUMN     "ended_at" TIMESTAMP(3);
