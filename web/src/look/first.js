// Runs before the first paint: the look and the language that were chosen on this device.
const root = document.documentElement
try {
  const look = localStorage.getItem('sheaf-look')
  if (look === 'light' || look === 'dark') root.dataset.look = look
  const language = localStorage.getItem('sheaf-language')
  if (/^[a-z]{2}$/.test(language ?? '')) root.lang = language
  if (language === 'ar') root.dir = 'rtl'
} catch {
  // Storage may be forbidden: the system's look and language are used then.
}
