interface AgentsView {
  agent?: string;
}

export const parseAgentsView = ({ agent }: Record<string, unknown>): AgentsView =>
  /^\d{1,10}$/.test(String(agent)) ? { agent: String(agent) } : {};
