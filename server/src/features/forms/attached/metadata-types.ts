// Who may read which kinds of metadata.

/** Part of what a form is: for whoever may see it. */
const publicTypes = new Set(['media', 'supporting_doc', 'source', 'data_license', 'form_license', 'map_layer'])

/** Their values are addresses and keys of other services. */
const secretTypes = new Set(['external_export', 'flow_messaging', 'sheet_sync'])

export const isPublicType = (dataType: string): boolean => publicTypes.has(dataType)

/** For those who may change the form; everything else that is not public is for those with any role. */
export const isSecretType = (dataType: string): boolean => secretTypes.has(dataType)
