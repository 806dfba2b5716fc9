-- AlterTable
ALTER TABLE "svc_mail_draft" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;
