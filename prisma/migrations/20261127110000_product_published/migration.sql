-- AlterTable
ALTER TABLE "product_template" ADD COLUMN     "is_published" BOOLEAN NOT NULL DEFAULT false;
