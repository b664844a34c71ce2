/** Of accounts, projects, forms and what belongs to them: PostgreSQL's integer. A larger number is nobody's id, and would be
 * an error of the database. */
export const largestId = 2_147_483_647

/** Whether a number could be one of them: what was sent may be anything. */
export const isRowId = (id: number): boolean => Number.isInteger(id) && id >= 0 && id <= largestId
