-- AlterTable
ALTER TABLE "svc_agent_policy" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_campaign" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_contact" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_contact_book" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_mail_account" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_mail_autoreply" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_mail_rule" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "svc_webhook" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "website_page" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;
