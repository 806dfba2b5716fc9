-- AlterTable
ALTER TABLE "mail_message" ADD COLUMN     "preview" TEXT;
