-- CreateTable
CREATE TABLE "helpdesk_team" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "company_id" INTEGER,
    "user_id" INTEGER,
    "color" INTEGER NOT NULL DEFAULT 0,
    "privacy_visibility" TEXT NOT NULL DEFAULT 'portal',
    "mailbox_id" INTEGER,
    "auto_assignment" BOOLEAN NOT NULL DEFAULT false,
    "assign_method" TEXT NOT NULL DEFAULT 'randomly',
    "auto_acknowledge" BOOLEAN NOT NULL DEFAULT false,
    "acknowledgement" TEXT,
    "use_sla" BOOLEAN NOT NULL DEFAULT true,
    "use_rating" BOOLEAN NOT NULL DEFAULT true,
    "tz" TEXT NOT NULL DEFAULT 'UTC',
    "hour_from" DOUBLE PRECISION NOT NULL DEFAULT 9,
    "hour_to" DOUBLE PRECISION NOT NULL DEFAULT 17,
    "mon" BOOLEAN NOT NULL DEFAULT true,
    "tue" BOOLEAN NOT NULL DEFAULT true,
    "wed" BOOLEAN NOT NULL DEFAULT true,
    "thu" BOOLEAN NOT NULL DEFAULT true,
    "fri" BOOLEAN NOT NULL DEFAULT true,
    "sat" BOOLEAN NOT NULL DEFAULT false,
    "sun" BOOLEAN NOT NULL DEFAULT false,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_team_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "helpdesk_team_member_rel" (
    "workspace_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "helpdesk_team_member_rel_pkey" PRIMARY KEY ("workspace_id","team_id","user_id")
);

-- CreateTable
CREATE TABLE "helpdesk_team_stage_rel" (
    "workspace_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "stage_id" INTEGER NOT NULL,

    CONSTRAINT "helpdesk_team_stage_rel_pkey" PRIMARY KEY ("workspace_id","team_id","stage_id")
);

-- CreateTable
CREATE TABLE "helpdesk_stage" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "is_close" BOOLEAN NOT NULL DEFAULT false,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_stage_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "helpdesk_ticket_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_ticket_type_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "helpdesk_tag" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_tag_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "helpdesk_ticket" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "ticket_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "team_id" INTEGER,
    "stage_id" INTEGER,
    "user_id" INTEGER,
    "partner_id" INTEGER,
    "partner_name" TEXT,
    "partner_email" TEXT,
    "partner_email_normalized" TEXT,
    "partner_phone" TEXT,
    "email_cc" TEXT,
    "priority" TEXT NOT NULL DEFAULT '0',
    "ticket_type_id" INTEGER,
    "kanban_state" TEXT NOT NULL DEFAULT 'normal',
    "color" INTEGER NOT NULL DEFAULT 0,
    "company_id" INTEGER,
    "assign_date" TIMESTAMP(3),
    "first_response_date" TIMESTAMP(3),
    "close_date" TIMESTAMP(3),
    "closed_by_partner" BOOLEAN NOT NULL DEFAULT false,
    "date_last_stage_update" TIMESTAMP(3),
    "sla_deadline" TIMESTAMP(3),
    "sla_fail" BOOLEAN NOT NULL DEFAULT false,
    "rating" TEXT,
    "rating_text" TEXT,
    "rating_date" TIMESTAMP(3),
    "link_version" INTEGER NOT NULL DEFAULT 1,
    "acknowledged_at" TIMESTAMP(3),
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_ticket_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "helpdesk_tag_ticket_rel" (
    "workspace_id" INTEGER NOT NULL,
    "ticket_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "helpdesk_tag_ticket_rel_pkey" PRIMARY KEY ("workspace_id","ticket_id","tag_id")
);

-- CreateTable
CREATE TABLE "helpdesk_sla" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "team_id" INTEGER NOT NULL,
    "priority" TEXT,
    "stage_id" INTEGER NOT NULL,
    "time" DOUBLE PRECISION NOT NULL DEFAULT 8,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_sla_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "helpdesk_sla_type_rel" (
    "workspace_id" INTEGER NOT NULL,
    "sla_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,

    CONSTRAINT "helpdesk_sla_type_rel_pkey" PRIMARY KEY ("workspace_id","sla_id","type_id")
);

-- CreateTable
CREATE TABLE "helpdesk_sla_tag_rel" (
    "workspace_id" INTEGER NOT NULL,
    "sla_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "helpdesk_sla_tag_rel_pkey" PRIMARY KEY ("workspace_id","sla_id","tag_id")
);

-- CreateTable
CREATE TABLE "helpdesk_sla_status" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "ticket_id" INTEGER NOT NULL,
    "sla_id" INTEGER NOT NULL,
    "deadline" TIMESTAMP(3) NOT NULL,
    "reached_datetime" TIMESTAMP(3),
    "status" TEXT NOT NULL DEFAULT 'ongoing',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "helpdesk_sla_status_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "helpdesk_team_workspace_id_sequence_idx" ON "helpdesk_team"("workspace_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "helpdesk_team_workspace_id_mailbox_id_key" ON "helpdesk_team"("workspace_id", "mailbox_id");

-- CreateIndex
CREATE INDEX "helpdesk_team_member_rel_workspace_id_user_id_idx" ON "helpdesk_team_member_rel"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "helpdesk_team_stage_rel_workspace_id_stage_id_idx" ON "helpdesk_team_stage_rel"("workspace_id", "stage_id");

-- CreateIndex
CREATE INDEX "helpdesk_stage_workspace_id_sequence_idx" ON "helpdesk_stage"("workspace_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "helpdesk_tag_workspace_id_name_key" ON "helpdesk_tag"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_team_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "team_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_stage_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "stage_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_user_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "user_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_user_id_close_date_idx" ON "helpdesk_ticket"("workspace_id", "user_id", "close_date");

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_team_id_user_id_assign_date_idx" ON "helpdesk_ticket"("workspace_id", "team_id", "user_id", "assign_date");

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_partner_id_idx" ON "helpdesk_ticket"("workspace_id", "partner_id");

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_partner_email_normalized_ackno_idx" ON "helpdesk_ticket"("workspace_id", "partner_email_normalized", "acknowledged_at");

-- CreateIndex
CREATE INDEX "helpdesk_ticket_workspace_id_ticket_ref_idx" ON "helpdesk_ticket"("workspace_id", "ticket_ref");

-- CreateIndex
CREATE INDEX "helpdesk_tag_ticket_rel_workspace_id_tag_id_idx" ON "helpdesk_tag_ticket_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "helpdesk_sla_workspace_id_team_id_idx" ON "helpdesk_sla"("workspace_id", "team_id");

-- CreateIndex
CREATE INDEX "helpdesk_sla_type_rel_workspace_id_type_id_idx" ON "helpdesk_sla_type_rel"("workspace_id", "type_id");

-- CreateIndex
CREATE INDEX "helpdesk_sla_tag_rel_workspace_id_tag_id_idx" ON "helpdesk_sla_tag_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "helpdesk_sla_status_workspace_id_sla_id_idx" ON "helpdesk_sla_status"("workspace_id", "sla_id");

-- CreateIndex
CREATE INDEX "helpdesk_sla_status_workspace_id_status_deadline_idx" ON "helpdesk_sla_status"("workspace_id", "status", "deadline");

-- CreateIndex
CREATE UNIQUE INDEX "helpdesk_sla_status_workspace_id_ticket_id_sla_id_key" ON "helpdesk_sla_status"("workspace_id", "ticket_id", "sla_id");

-- AddForeignKey
ALTER TABLE "helpdesk_team" ADD CONSTRAINT "helpdesk_team_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_team" ADD CONSTRAINT "helpdesk_team_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_team_member_rel" ADD CONSTRAINT "helpdesk_team_member_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_team_member_rel" ADD CONSTRAINT "helpdesk_team_member_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_team_stage_rel" ADD CONSTRAINT "helpdesk_team_stage_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_team_stage_rel" ADD CONSTRAINT "helpdesk_team_stage_rel_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "helpdesk_stage"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "helpdesk_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_ticket_type_id_fkey" FOREIGN KEY ("workspace_id", "ticket_type_id") REFERENCES "helpdesk_ticket_type"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_tag_ticket_rel" ADD CONSTRAINT "helpdesk_tag_ticket_rel_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "helpdesk_ticket"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_tag_ticket_rel" ADD CONSTRAINT "helpdesk_tag_ticket_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "helpdesk_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla" ADD CONSTRAINT "helpdesk_sla_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla" ADD CONSTRAINT "helpdesk_sla_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "helpdesk_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla_type_rel" ADD CONSTRAINT "helpdesk_sla_type_rel_workspace_id_sla_id_fkey" FOREIGN KEY ("workspace_id", "sla_id") REFERENCES "helpdesk_sla"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla_type_rel" ADD CONSTRAINT "helpdesk_sla_type_rel_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "helpdesk_ticket_type"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla_tag_rel" ADD CONSTRAINT "helpdesk_sla_tag_rel_workspace_id_sla_id_fkey" FOREIGN KEY ("workspace_id", "sla_id") REFERENCES "helpdesk_sla"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla_tag_rel" ADD CONSTRAINT "helpdesk_sla_tag_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "helpdesk_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla_status" ADD CONSTRAINT "helpdesk_sla_status_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "helpdesk_ticket"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "helpdesk_sla_status" ADD CONSTRAINT "helpdesk_sla_status_workspace_id_sla_id_fkey" FOREIGN KEY ("workspace_id", "sla_id") REFERENCES "helpdesk_sla"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "helpdesk_team" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_team_member_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_team_stage_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_stage" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_ticket_type" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_tag" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_ticket" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_tag_ticket_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_sla" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_sla_type_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_sla_tag_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "helpdesk_sla_status" SET (autovacuum_analyze_scale_factor = 0.02);
