-- Emails sent from mailboxes are in no list of emails.
ALTER TABLE "svc_email" ADD COLUMN "mailbox_id" INTEGER;
