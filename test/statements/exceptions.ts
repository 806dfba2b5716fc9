export interface Exception {
  text: string;
  reason: string;
  /** True if only some runs produce the statement, such as runs on a cluster. */
  rare?: true;
}

/**
 * Statements that read all workspaces, for which Citus queries every shard. None of them changes or locks rows; changes
 * are made in one workspace at a time.
 */
export const CROSS_WORKSPACE: readonly Exception[] = [
  {
    text: 'select distinct m.workspace_id from svc_email m where m.workspace_id > 0',
    reason: 'which workspaces have emails whose worker died, or whose outcome nobody knows',
  },
  {
    text: 'select 1 from svc_email m where m.workspace_id > 0',
    reason: 'the metric of emails that wait',
  },
  {
    text: 'select 1 from svc_webhook_call c where c.workspace_id > 0',
    reason: 'the metric of calls that wait',
  },
  {
    text: 'select 1 from svc_mail_delivery d where d.workspace_id > 0',
    reason: 'the metric of received mail that could not be filed',
  },
  {
    text: 'from svc_app_removal r where r.workspace_id > 0',
    reason: 'removals of apps at which no process is',
  },
  {
    text: 'from svc_domain where workspace_id > 0',
    reason: 'domains that the provider is to be asked about',
  },
  {
    text: 'from svc_webhook where workspace_id > 0 and (secret not like',
    reason: 'secrets of before they were sealed',
  },
  { text: 'select t.workspace_id, "t"."', reason: 'rows of logs that are old enough to be purged' },
  { text: 'from svc_email m where m.create_date >=', reason: 'emails whose bodies are old enough to go' },
  {
    text: 'select distinct workspace_id from svc_webhook where',
    reason: 'calls that a worker claimed and lost',
  },
  {
    text: 'from svc_api_key k join workspace w on w.id = k.workspace_id left join res_users u',
    reason: "the operator's list of keys",
  },
  {
    text: 'select w.slug from svc_api_key k join workspace w',
    reason: 'whose a key is that the operator revokes by its number',
  },
  { text: 'from svc_domain d join workspace w on w.id', reason: "the operator's list of domains" },
  { text: 'l where l.workspace_id > 0 and l.create_date >', reason: 'workspaces with something new to seal' },
  {
    text: 'select workspace_id, hash from svc_api_key where prefix =',
    reason: 'keys that came with an archive and name another workspace, and keys of nobody',
  },
  {
    text: 'select 1 from svc_api_key where prefix = any',
    reason: 'whether an archive has keys of a workspace that is here',
  },
  {
    text: 'from svc_api_key k join workspace w on w.id = k.workspace_id where true',
    reason: 'the same, of which the operator asks whose they are',
  },
  {
    text: 'join svc_email e on e.provider_id = n."providerId"',
    reason: 'reports of emails without our tags',
  },
  {
    text: 'cross join workspace w join svc_email e',
    reason: 'reports of emails without a tag of the workspace',
  },
];
