-- CreateTable
CREATE TABLE "calendar_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "user_id" INTEGER,
    "location" TEXT,
    "videocall_location" TEXT,
    "privacy" TEXT NOT NULL DEFAULT 'public',
    "show_as" TEXT NOT NULL DEFAULT 'busy',
    "allday" BOOLEAN NOT NULL DEFAULT false,
    "start" TIMESTAMP(3) NOT NULL,
    "stop" TIMESTAMP(3) NOT NULL,
    "event_tz" TEXT,
    "recurrency" BOOLEAN NOT NULL DEFAULT false,
    "recurrence_id" INTEGER,
    "follow_recurrence" BOOLEAN NOT NULL DEFAULT false,
    "occurrence" TIMESTAMP(3),
    "uid" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "invited_as" TEXT,
    "remind_at" TIMESTAMP(3),
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "calendar_event_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "calendar_event_partner_rel" (
    "workspace_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,

    CONSTRAINT "calendar_event_partner_rel_pkey" PRIMARY KEY ("workspace_id","event_id","partner_id")
);

-- CreateTable
CREATE TABLE "calendar_event_type_rel" (
    "workspace_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,

    CONSTRAINT "calendar_event_type_rel_pkey" PRIMARY KEY ("workspace_id","event_id","type_id")
);

-- CreateTable
CREATE TABLE "calendar_event_alarm_rel" (
    "workspace_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "alarm_id" INTEGER NOT NULL,

    CONSTRAINT "calendar_event_alarm_rel_pkey" PRIMARY KEY ("workspace_id","event_id","alarm_id")
);

-- CreateTable
CREATE TABLE "calendar_attendee" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "event_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'needsAction',
    "invited" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "calendar_attendee_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "calendar_recurrence" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "base_event_id" INTEGER,
    "event_tz" TEXT NOT NULL,
    "dtstart" TIMESTAMP(3) NOT NULL,
    "allday" BOOLEAN NOT NULL DEFAULT false,
    "rrule" TEXT NOT NULL,
    "rrule_type" TEXT NOT NULL DEFAULT 'weekly',
    "end_type" TEXT NOT NULL DEFAULT 'count',
    "interval" INTEGER NOT NULL DEFAULT 1,
    "count" INTEGER NOT NULL DEFAULT 1,
    "mon" BOOLEAN NOT NULL DEFAULT false,
    "tue" BOOLEAN NOT NULL DEFAULT false,
    "wed" BOOLEAN NOT NULL DEFAULT false,
    "thu" BOOLEAN NOT NULL DEFAULT false,
    "fri" BOOLEAN NOT NULL DEFAULT false,
    "sat" BOOLEAN NOT NULL DEFAULT false,
    "sun" BOOLEAN NOT NULL DEFAULT false,
    "month_by" TEXT NOT NULL DEFAULT 'date',
    "day" INTEGER NOT NULL DEFAULT 1,
    "weekday" TEXT,
    "byday" TEXT,
    "until" DATE,
    "uid" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "invited_as" TEXT,
    "left_out" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "calendar_recurrence_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "calendar_event_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "calendar_event_type_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "calendar_alarm" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "alarm_type" TEXT NOT NULL DEFAULT 'email',
    "duration" INTEGER NOT NULL DEFAULT 1,
    "interval" TEXT NOT NULL DEFAULT 'hours',
    "body" TEXT,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "calendar_alarm_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "calendar_feed" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "nonce" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calendar_feed_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateIndex
CREATE INDEX "calendar_event_workspace_id_start_idx" ON "calendar_event"("workspace_id", "start");

-- CreateIndex
CREATE INDEX "calendar_event_workspace_id_user_id_start_idx" ON "calendar_event"("workspace_id", "user_id", "start");

-- CreateIndex
CREATE INDEX "calendar_event_workspace_id_recurrence_id_occurrence_idx" ON "calendar_event"("workspace_id", "recurrence_id", "occurrence");

-- CreateIndex
CREATE INDEX "calendar_event_workspace_id_uid_idx" ON "calendar_event"("workspace_id", "uid");

-- CreateIndex
CREATE INDEX "calendar_event_workspace_id_remind_at_idx" ON "calendar_event"("workspace_id", "remind_at");

-- CreateIndex
CREATE INDEX "calendar_event_partner_rel_workspace_id_partner_id_idx" ON "calendar_event_partner_rel"("workspace_id", "partner_id");

-- CreateIndex
CREATE INDEX "calendar_event_type_rel_workspace_id_type_id_idx" ON "calendar_event_type_rel"("workspace_id", "type_id");

-- CreateIndex
CREATE INDEX "calendar_event_alarm_rel_workspace_id_alarm_id_idx" ON "calendar_event_alarm_rel"("workspace_id", "alarm_id");

-- CreateIndex
CREATE INDEX "calendar_attendee_workspace_id_partner_id_idx" ON "calendar_attendee"("workspace_id", "partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_attendee_workspace_id_event_id_partner_id_key" ON "calendar_attendee"("workspace_id", "event_id", "partner_id");

-- CreateIndex
CREATE INDEX "calendar_recurrence_workspace_id_base_event_id_idx" ON "calendar_recurrence"("workspace_id", "base_event_id");

-- CreateIndex
CREATE INDEX "calendar_recurrence_workspace_id_uid_idx" ON "calendar_recurrence"("workspace_id", "uid");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_event_type_workspace_id_name_key" ON "calendar_event_type"("workspace_id", "name");

-- AddForeignKey
ALTER TABLE "calendar_event" ADD CONSTRAINT "calendar_event_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event" ADD CONSTRAINT "calendar_event_workspace_id_recurrence_id_fkey" FOREIGN KEY ("workspace_id", "recurrence_id") REFERENCES "calendar_recurrence"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event_partner_rel" ADD CONSTRAINT "calendar_event_partner_rel_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event_partner_rel" ADD CONSTRAINT "calendar_event_partner_rel_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event_type_rel" ADD CONSTRAINT "calendar_event_type_rel_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event_type_rel" ADD CONSTRAINT "calendar_event_type_rel_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "calendar_event_type"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event_alarm_rel" ADD CONSTRAINT "calendar_event_alarm_rel_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_event_alarm_rel" ADD CONSTRAINT "calendar_event_alarm_rel_workspace_id_alarm_id_fkey" FOREIGN KEY ("workspace_id", "alarm_id") REFERENCES "calendar_alarm"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_attendee" ADD CONSTRAINT "calendar_attendee_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_attendee" ADD CONSTRAINT "calendar_attendee_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_recurrence" ADD CONSTRAINT "calendar_recurrence_workspace_id_base_event_id_fkey" FOREIGN KEY ("workspace_id", "base_event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calendar_feed" ADD CONSTRAINT "calendar_feed_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "calendar_event" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_event_partner_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_event_type_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_event_alarm_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_attendee" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_recurrence" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_event_type" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_alarm" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "calendar_feed" SET (autovacuum_analyze_scale_factor = 0.02);
