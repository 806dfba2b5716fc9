/** A state, province or territory; `country` is the country's code. */
export interface StateRow {
  country: string;
  code: string;
  name: string;
}

const STATES: Record<string, string> = {
  AU: `ACT Australian Capital Territory, NSW New South Wales, NT Northern Territory, QLD Queensland, SA South Australia,
    TAS Tasmania, VIC Victoria, WA Western Australia`,
  CA: `AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
    NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon`,
  US: `AA Armed Forces Americas, AE Armed Forces Europe, AK Alaska, AL Alabama, AP Armed Forces Pacific, AR Arkansas,
    AS American Samoa, AZ Arizona, CA California, CO Colorado, CT Connecticut, DC District of Columbia, DE Delaware,
    FL Florida, FM Federated States of Micronesia, GA Georgia, GU Guam, HI Hawaii, IA Iowa, ID Idaho, IL Illinois,
    IN Indiana, KS Kansas, KY Kentucky, LA Louisiana, MA Massachusetts, MD Maryland, ME Maine, MH Marshall Islands,
    MI Michigan, MN Minnesota, MO Missouri, MP Northern Mariana Islands, MS Mississippi, MT Montana, NC North Carolina,
    ND North Dakota, NE Nebraska, NH New Hampshire, NJ New Jersey, NM New Mexico, NV Nevada, NY New York, OH Ohio,
    OK Oklahoma, OR Oregon, PA Pennsylvania, PR Puerto Rico, PW Palau, RI Rhode Island, SC South Carolina,
    SD South Dakota, TN Tennessee, TX Texas, UM U.S. Minor Outlying Islands, UT Utah, VA Virginia, VI Virgin Islands,
    VT Vermont, WA Washington, WI Wisconsin, WV West Virginia, WY Wyoming`,
};

/** States of the United States (with what their post delivers to), Canada and Australia, by their postal codes. */
export const stateRows = (): StateRow[] =>
  Object.entries(STATES).flatMap(([country, list]) =>
    list.split(',').map((entry) => {
      const [code, ...name] = entry.trim().split(/\s+/);
      return { country, code: code!, name: name.join(' ') };
    }),
  );
