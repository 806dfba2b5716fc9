-- Whether webhooks hear of the messages of a mailbox: by its owner's choice alone.
ALTER TABLE "svc_mail_account" ADD COLUMN "event_detail" TEXT NOT NULL DEFAULT 'none';

-- How often a message was read that may be what ended the process that read it.
ALTER TABLE "svc_mail_delivery" ADD COLUMN "suspected" INTEGER NOT NULL DEFAULT 0;
