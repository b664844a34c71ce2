import { translation } from '../catalogue'
import type en from '../en/sign-in'

export default translation<typeof en>({
  title: 'تسجيل الدخول',
  username: 'اسم المستخدم أو البريد الإلكتروني',
  password: 'كلمة المرور',
  stay: 'ابقَ مسجلًا',
  stayHint: 'لمدة {time} على هذا الجهاز. ليس على جهاز يستخدمه آخرون.',
  signIn: 'تسجيل الدخول',
  wrong: 'الاسم أو كلمة المرور غير صحيحة.',
  forgotten: 'نسيت كلمة المرور؟',
  noAccount: 'ليس لديك حساب؟ {link}',
  register: 'أنشئ حسابًا',
  or: 'أو',
  with: 'الدخول عبر {provider}',
  connecting: 'يعرفك مزود الخدمة. سجّل الدخول هنا مرة واحدة بكلمة مرورك ليرتبط الاثنان.',
})
