-- AlterTable
ALTER TABLE "mail_message" ADD COLUMN     "preview" TEXT;

-- Previews of existing messages. Messages whose HTML may hide text keep none, because SQL cannot tell what is visible.
UPDATE "mail_message" SET "preview" = left(btrim(regexp_replace(replace(replace(replace(replace(replace(
    regexp_replace("body", '<[^>]*>', ' ', 'g'),
    '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'), '\s+', ' ', 'g')), 190)
WHERE "body" <> '' AND "body" !~* '(style|color|background|size|text)\s*=|hidden|popover|<dialog';
