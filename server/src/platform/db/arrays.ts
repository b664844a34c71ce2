/** A list of texts as PostgreSQL writes it: COPY takes no list, and a text is bound or quoted like any other. */
export const pgArray = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
