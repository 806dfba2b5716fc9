-- AlterTable
ALTER TABLE "ir_attachment" ADD COLUMN     "is_internal" BOOLEAN NOT NULL DEFAULT false;
