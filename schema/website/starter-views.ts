// A website's initial views. They are shared, so a website that changes one gets a copy.

const LAYOUT = `<html t-att-lang="lang">
  <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <title t-out="seo.title"/>
    <meta t-if="seo.description" name="description" t-att-content="seo.description"/>
    <meta name="robots" t-att-content="seo.robots"/>
    <link rel="canonical" t-att-href="seo.canonical"/>
    <t t-if="more_languages">
      <link t-foreach="languages" t-as="language" rel="alternate"
        t-att-hreflang="language.tag" t-att-href="language.url"/>
    </t>
    <meta property="og:type" content="website"/>
    <meta property="og:site_name" t-att-content="website.name"/>
    <meta property="og:title" t-att-content="seo.title"/>
    <meta property="og:url" t-att-content="seo.canonical"/>
    <meta t-if="seo.description" property="og:description" t-att-content="seo.description"/>
    <meta t-if="seo.image" property="og:image" t-att-content="seo.image"/>
    <link rel="stylesheet" href="/website/theme.css"/>
  </head>
  <body>
    <a class="skip" href="#wrap">Skip to content</a>
    <header class="top">
      <div class="inner">
        <a class="brand" t-att-href="website.home" t-out="website.name"/>
        <nav aria-label="Main">
          <ul>
            <li t-foreach="menus" t-as="menu">
              <a t-att-href="menu.url" t-att-aria-current="menu.is_active and 'page'"
                t-att-target="menu.new_window and '_blank'" t-out="menu.name"/>
              <ul t-if="menu.children">
                <li t-foreach="menu.children" t-as="child">
                  <a t-att-href="child.url" t-att-aria-current="child.is_active and 'page'"
                    t-att-target="child.new_window and '_blank'" t-out="child.name"/>
                </li>
              </ul>
            </li>
          </ul>
        </nav>
      </div>
    </header>
    <main id="wrap" tabindex="-1">
      <t t-out="0"/>
    </main>
    <footer class="bottom">
      <div class="inner">
        <p>© <t t-out="website.year"/> <t t-out="website.name"/></p>
        <ul t-if="more_languages" class="languages">
          <li t-foreach="languages" t-as="language">
            <a t-att-href="language.url" t-att-hreflang="language.tag" t-att-lang="language.tag"
              t-att-aria-current="language.is_current and 'true'" t-out="language.name"/>
          </li>
        </ul>
      </div>
    </footer>
  </body>
</html>`;

const wrapInLayout = (inner: string): string => `<t t-call="website.layout">\n${inner}\n</t>`;

const HOME = wrapInLayout(`  <section class="hero">
    <div class="inner">
      <h1>Welcome to <t t-out="website.name"/></h1>
      <p class="lead">This is the home page of your website. Describe your business in one or two sentences.</p>
    </div>
  </section>
  <section>
    <div class="inner columns">
      <article>
        <h2>Our services</h2>
        <p>Describe your main product or service and how customers benefit.</p>
      </article>
      <article>
        <h2>How we work</h2>
        <p>Describe the steps from the first request to the finished work.</p>
      </article>
      <article>
        <h2>About us</h2>
        <p>Introduce your team.</p>
      </article>
    </div>
  </section>`);

const CONTACT = wrapInLayout(`  <section>
    <div class="inner narrow">
      <h1>Contact us</h1>
      <p class="lead">Send us a message. We'll reply as soon as we can.</p>
      <form method="post" t-att-action="form.action">
        <input type="hidden" name="form_token" t-att-value="form.token"/>
        <p><label for="name">Your name</label>
          <input id="name" name="name" autocomplete="name" required="required" maxlength="200"/></p>
        <p><label for="email">Email</label>
          <input id="email" name="email" type="email" autocomplete="email" required="required" maxlength="200"/></p>
        <p><label for="phone">Phone (optional)</label>
          <input id="phone" name="phone" type="tel" autocomplete="tel" maxlength="60"/></p>
        <p><label for="company">Company (optional)</label>
          <input id="company" name="company" autocomplete="organization" maxlength="200"/></p>
        <p><label for="subject">Subject</label>
          <input id="subject" name="subject" required="required" maxlength="200"/></p>
        <p><label for="message">Message</label>
          <textarea id="message" name="message" rows="6" required="required" maxlength="5000"> </textarea></p>
        <p class="trap" aria-hidden="true"><label for="homepage">Leave this field empty</label>
          <input id="homepage" name="homepage" tabindex="-1" autocomplete="off"/></p>
        <p><button class="button">Send</button></p>
      </form>
    </div>
  </section>`);

const buildTextPage = (title: string, text: string): string =>
  wrapInLayout(`  <section>
    <div class="inner narrow">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      <p t-if="website.home"><a t-att-href="website.home">Go to the home page</a></p>
    </div>
  </section>`);

/** Shared by all websites. Keyed by the second part of the view's key. */
export const STARTER_VIEWS: Readonly<Record<string, { name: string; arch: string }>> = {
  layout: { name: 'Main layout', arch: LAYOUT },
  homepage: { name: 'Home', arch: HOME },
  contactus: { name: 'Contact Us', arch: CONTACT },
  default_page: {
    name: 'Default Page',
    arch: wrapInLayout(
      '  <section>\n    <div class="inner">\n      <h1 t-out="page.name"/>\n    </div>\n  </section>',
    ),
  },
  404: {
    name: 'Page Not Found',
    arch: buildTextPage('Page not found', 'It may have moved or never existed.'),
  },
  403: {
    name: 'Page Not Open',
    arch: buildTextPage(
      "You don't have access to this page",
      'Sign in, or ask the owner of this website for access.',
    ),
  },
  thanks: { name: 'Thanks', arch: buildTextPage('Thank you', 'We have received your message.') },
};
