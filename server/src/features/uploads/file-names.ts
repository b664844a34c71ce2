// Names of files as people send them. They are shown and offered for saving, and never part of a path.

/** What a program that opens files by their names would run. */
const runnable = /\.(exe|com|cmd|bat|msi|scr|js|vbs|ps1|sh|php|jsp|aspx?|html?|svg|jar)\./i

/** `photo.exe.png` */
export const hasDoubleExtension = (name: string): boolean => runnable.test(name)

/** In lower case, without the dot; blank for none. */
export const extensionOf = (name: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
