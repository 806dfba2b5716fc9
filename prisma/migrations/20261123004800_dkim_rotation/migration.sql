-- AlterTable
ALTER TABLE "svc_domain" ADD COLUMN     "dkim_former_public" TEXT,
ADD COLUMN     "dkim_former_selector" TEXT,
ADD COLUMN     "dkim_former_until" TIMESTAMP(3),
ADD COLUMN     "dkim_next_private" TEXT,
ADD COLUMN     "dkim_next_public" TEXT,
ADD COLUMN     "dkim_next_selector" TEXT;
