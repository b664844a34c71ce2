import { translation } from '../catalogue'
import type en from '../en/account'

export default translation<typeof en>({
  title: 'حسابك',
  pages: 'أقسام حسابك',
  profile: 'الملف الشخصي',
  password: 'كلمة المرور',
  sessions: 'الجلسات',
  token: 'رمز الواجهة البرمجية',
  applications: 'التطبيقات',
  look: 'اللغة والمظهر',
  save: 'حفظ',
  saved: 'تم الحفظ',
  cancel: 'إلغاء',
})
