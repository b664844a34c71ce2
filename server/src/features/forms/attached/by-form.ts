/** Rows of several forms, form by form. */
export const groupByForm = <T extends { formId: number }>(rows: readonly T[]): Map<number, T[]> => {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.formId)
    if (group === undefined) groups.set(row.formId, [row])
    else group.push(row)
  }
  return groups
}
