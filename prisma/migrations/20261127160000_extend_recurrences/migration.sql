-- AlterTable
ALTER TABLE "calendar_recurrence" ADD COLUMN     "extend_at" TIMESTAMP(3),
ADD COLUMN     "reach" INTEGER NOT NULL DEFAULT 720;

-- CreateIndex
CREATE INDEX "calendar_recurrence_workspace_id_extend_at_idx" ON "calendar_recurrence"("workspace_id", "extend_at");

-- Those without an end are looked at once.
UPDATE "calendar_recurrence" SET "extend_at" = "dtstart" WHERE "end_type" = 'forever';
