-- AlterTable
ALTER TABLE "svc_record_undo" ADD COLUMN     "company_id" INTEGER;
