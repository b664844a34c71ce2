import { translation } from '../catalogue'
import type en from '../en/account-profile'

export default translation<typeof en>({
  who: 'من أنت',
  firstName: 'الاسم الأول',
  lastName: 'اسم العائلة',
  organization: 'المنظمة',
  city: 'المدينة',
  country: 'البلد',
  noCountry: 'غير محدد',
  website: 'الموقع الإلكتروني',
  picture: 'صورتك',
  pictureAbout: 'يرسم الخادم الصورة؛ ويراها الآخرون بجانب اسمك.',
  joined: 'عضو منذ {date}',
  mail: 'البريد الإلكتروني',
  email: 'عنوان البريد الإلكتروني',
  mailAbout: 'أنت وحدك تراه. تصل إليه رسائل حسابك والدعوات.',
  verified: 'مُتحقَّق منه',
  unverified: 'غير مُتحقَّق منه',
  sendMail: 'إرسال رسالة التحقق',
  mailSent: 'رسالة في طريقها إلى {email}',
  currentPassword: 'كلمة مرورك',
  currentHint: 'مطلوبة لتغيير العنوان.',
  sending: 'إرسال السجلات',
  requireAuth: 'لا يرسل السجلات إلى نماذجي إلا من سجّل الدخول',
  requireAuthHint: 'بدونه يستطيع كل من يعرف عنوان نموذج أن يرسل إليه، ما لم يطلب النموذج نفسه تسجيل الدخول.',
})
