import { type AppSetting, type Ctx, loadSetting } from '../kit/surface.ts';

const ACKNOWLEDGEMENTS: AppSetting = {
  name: 'acknowledgements_per_hour',
  label: 'Acknowledgments per hour',
  help: 'Maximum number of acknowledgments per customer and hour. Further tickets are created without one.',
  type: 'integer',
  default: 3,
  least: 0,
  most: 20,
};

export const helpdeskSettings: AppSetting[] = [ACKNOWLEDGEMENTS];

export const getAcknowledgementsPerHour = async (ctx: Ctx): Promise<number> =>
  Number(await loadSetting(ctx, 'helpdesk', ACKNOWLEDGEMENTS));
