// Where somebody came from: `?from=/forms/12/records/3`. Only pages of this application.

/** Undefined where the address names none. */
export const backFrom = (search = location.search): string | undefined => {
  const from = new URLSearchParams(search).get('from') ?? ''
  return /^\/(forms|projects|views)\/[\w:/.-]*(\?[^#\\]*)?$/.test(from) ? from : undefined
}
