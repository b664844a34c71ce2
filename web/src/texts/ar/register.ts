import { translation } from '../catalogue'
import type en from '../en/register'

export default translation<typeof en>({
  title: 'إنشاء حساب',
  invited: 'استخدم العنوان الذي وصلتك عليه الدعوة: ما دُعيت إليه يُشارك معه.',
  name: 'اسمك',
  username: 'اسم المستخدم',
  usernameHint: 'جزء من العناوين: حروف وأرقام ونقاط وشرطات وشرطات سفلية.',
  email: 'البريد الإلكتروني',
  password: 'كلمة المرور',
  passwordHint: {
    zero: 'بلا حد أدنى.',
    one: 'حرف واحد على الأقل.',
    two: 'حرفان على الأقل.',
    few: '{n} أحرف على الأقل.',
    many: '{n} حرفًا على الأقل.',
    other: '{n} حرف على الأقل.',
  },
  make: 'إنشاء الحساب',
  closed: 'التسجيل مغلق على هذا الخادم. اطلب حسابًا ممن يديرونه.',
  hasAccount: 'لديك حساب؟ {link}',
  signIn: 'سجّل الدخول',
  doneTitle: 'بقيت خطوة واحدة',
  mailSent: 'رسالة في طريقها إلى {email}. افتح رابطها لتُظهر أن العنوان لك. عندها يُشارك معك ما دُعيت إليه.',
  goOn: 'متابعة',
})
