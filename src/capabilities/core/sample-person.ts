/** A person who does not exist, for samples. Nothing is stored for this e-mail address. */
export const SAMPLE_PERSON = {
  name: "Jordan Sample",
  first_name: "Jordan",
  last_name: "Sample",
  phone: "+1-404-555-0123",
  email: "jordan.sample@example.com",
};

/** A confirmation code that no booking has. */
export const SAMPLE_CODE = "7K2MQ9XA";
