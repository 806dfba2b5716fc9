// Generates three years of mail for performance tests, with a vocabulary of 300,000 words. A few words occur in every
// message, most in none.

export type RunStatement = (text: string, values: unknown[]) => Promise<unknown>;

export interface SeedOptions {
  workspace: number;
  account: number;
  count: number;
  days: number;
  idOffset?: number;
}

const SEED_BATCH_SIZE = 20_000;

const WORD_SQL = "'w' || floor(exp(random() * ln(300000)))::int";

const FOLDER = `case when g % 100 < 60 then 'inbox' when g % 100 < 75 then 'sent' when g % 100 < 93 then 'archive'
  when g % 100 < 97 then 'spam' else 'trash' end`;

/** Inserts the rows that filing would write, except for threads. Until May, every other message contains `vintage`. */
export async function seedMailbox(run: RunStatement, seed: SeedOptions): Promise<void> {
  const { workspace, account, count, days, idOffset = 10_000_000 } = seed;
  await run('select setseed(0.5)', []);
  for (let from = 1; from <= count; from += SEED_BATCH_SIZE) {
    const to = Math.min(count, from + SEED_BATCH_SIZE - 1);
    const ids = [workspace, from + idOffset, to + idOffset];
    await run(
      `insert into svc_mail_message (workspace_id, id, raw_hash, size, subject, from_name, email_from, recipients,
         message_id, snippet, text, attachment_count)
       select $1::int, g, 'seed-' || g, case when g % 1000 = 0 then 2000000 else 2000 end, s.subject, 'Sender ' || g % 5000, 'sender' || g % 5000 || '@example.org',
         '{"to": [{"name": "", "email": "me@example.org"}], "cc": [], "replyTo": []}', g || '@seed.example',
         left(s.text, 200), s.text, case when g % 500 = 0 then 1 else 0 end
       from (select g, string_agg(${WORD_SQL}, ' ') filter (where k < 6) as subject, string_agg(${WORD_SQL}, ' ') as text
         from generate_series($2::int8, $3::int8) g, generate_series(1, 60) k group by g) s`,
      ids,
    );
    await run(
      `insert into svc_mail_entry (workspace_id, id, account_id, content_id, folder_id, thread_id, date, message_key,
         is_read, is_starred, source, modseq)
       select $1::int, g, f.account_id, g, f.id, g,
         date_trunc('second', timestamp '2026-11-01' - make_interval(secs => ($5::int - (g - $7::int8)) * $6::float8)),
         substring(sha256(convert_to('id:' || g || '@seed.example', 'UTF8')) for 16), g % 20 > 0, g % 33 = 0, 'import', 1
       from generate_series($2::int8, $3::int8) g
       join svc_mail_folder f on f.workspace_id = $1 and f.account_id = $4 and f.role = ${FOLDER}`,
      [...ids, account, count, (days * 86_400) / count, idOffset],
    );
    await run(
      `insert into svc_mail_search (workspace_id, entry_id, account_id, date, words)
       select $1::int, e.id, e.account_id, e.date, array_to_tsvector(string_to_array(c.text || ' ' || c.subject || ' s:'
         || replace(c.subject, ' ', ' s:') || ' f:' || c.email_from || ' ' || c.email_from || ' ' || k.keys, ' '))
       from svc_mail_entry e
       join svc_mail_message c on c.workspace_id = $1 and c.id = e.content_id
       cross join lateral (select format('#%s.%s #%1$s.%2$s.d%3$s #%1$s.%2$s.s%4$s #%1$s.%2$s.l%5$s #z%6$s', e.workspace_id,
         e.account_id, e.date::date - date '1970-01-01', (e.date::date - date '1970-01-01') / 8,
         (e.date::date - date '1970-01-01') / 64,
         case when c.size > 2000 then 10 else 1 end) || case when c.attachment_count > 0 then ' #a' else '' end
         || case when e.id % 2 = 0 and e.date < '2026-06-01' then ' vintage' else '' end as keys) k
       where e.workspace_id = $1 and e.id between $2 and $3`,
      ids,
    );
  }
  await run(
    `insert into svc_mail_bucket (workspace_id, account_id, folder_id, day, n)
     select workspace_id, account_id, folder_id, date::date - date '1970-01-01', count(*) from svc_mail_entry
     where workspace_id = $1 and account_id = $2 group by 1, 2, 3, 4`,
    [workspace, account],
  );
  await run(
    `update svc_mail_folder f set total = e.n, unread = e.unread
     from (select folder_id, count(*) as n, count(*) filter (where not is_read) as unread from svc_mail_entry
       where workspace_id = $1 and account_id = $2 group by 1) e
     where f.workspace_id = $1 and f.id = e.folder_id`,
    [workspace, account],
  );
}
